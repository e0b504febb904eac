import { Component, type ReactNode } from "react";

interface Props {
  children: ReactNode;
  instead: (error: unknown, again: () => void) => ReactNode;
}

/** Shows something instead of a part that failed. */
export class Boundary extends Component<Props, { error?: unknown }> {
  override state: { error?: unknown } = {};
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override render() {
    if (this.state.error === undefined) return this.props.children;
    return this.props.instead(this.state.error, () => this.setState({ error: undefined }));
  }
}
