import { logOut } from "../api/me";
import { wordsOf } from "../api/problem";
import { toast } from "../ui/toast";

/** Ends the session. `after`: only where the server did so. */
export async function leave(after: () => void): Promise<void> {
  try {
    await logOut();
  } catch (error) {
    return toast(`You are still signed in. ${wordsOf(error)}`, true);
  }
  after();
}
