// The editor. It imports all later pages, so that what it shares with them and with the entry is in the same scripts as
// before: the first load stays as small as it was.
import "./later";

export { EditFlowPage } from "./editor/page";
