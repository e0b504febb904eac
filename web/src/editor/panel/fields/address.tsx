// The full address of a path on this server: what to give to those who call it.
import { useMe } from "../../../api/me";
import { Button } from "../../../ui/button";
import { toast } from "../../../ui/toast";

export function Address({ title, below, path }: { title: string; below: string; path: string }) {
  const { data: me } = useMe();
  const url = (me?.public_url ?? window.location.origin) + below + path;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url); // absent where the page came by plain HTTP from another machine
      toast("The address is copied.");
    } catch {
      toast("The browser does not let the page copy. Select the address.", true);
    }
  };
  return (
    <div className="row address">
      <code>{url}</code>
      <Button kind="plain" aria-label={`Copy the address of ${title}`} onClick={() => void copy()}>Copy</Button>
    </div>
  );
}
