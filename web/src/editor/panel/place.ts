// Where the fields of a form are: in which node, and what their problems are.
import { createContext, useContext } from "react";

import { useDesk } from "../desk";
import type { Path } from "../document/model";
import { pointerOf, problemsAt, wordsOf } from "../problems/placed";

export interface FormPlace {
  node: string;
  /** Of the parameters of the node. */
  change: (path: Path, value: unknown) => void;
}

const context = createContext<FormPlace | undefined>(undefined);
export const FormProvider = context.Provider;

export function useForm(): FormPlace {
  const place = useContext(context);
  if (!place) throw new Error("there is no form");
  return place;
}

/** What the validator says of a field. `whole`: of its members, too. */
export function useFieldProblem(path: Path, whole: boolean): { pointer: string; words: string | undefined; isError: boolean } {
  const { node } = useForm();
  const { problems } = useDesk();
  const pointer = pointerOf(["parameters", ...path]);
  const own = problemsAt(problems.filter(({ id }) => id === node), pointer, whole);
  const words = own.map(wordsOf).join("; ");
  return { pointer, words: words || undefined, isError: own.some(({ severity }) => severity === "error") };
}
