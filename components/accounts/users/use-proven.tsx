"use client";

import { type ReactNode, Suspense, use, useCallback, useState } from "react";
import { toFormError } from "@/components/api/form-error";
import type { Proof } from "@/components/form/use-operation-form";
import { ProofDialog } from "./proof-dialog";
import { type ProofMethod, strongestFirst } from "./proof-method";

interface Asked {
  /** The action that the dialog names. */
  action: string;
  methods: readonly ProofMethod[];
  settle: (proven: boolean) => void;
}

export interface Proven {
  /**
   * Runs an action. If it is refused for lack of a fresh proof of identity, asks for one and runs the action again;
   * undefined when the person closed the dialog instead.
   */
  prove: <Result>(action: string, run: () => Promise<Result>) => Promise<Result | undefined>;
  /** The dialog. Render it once, outside of forms; within the dialog the action starts from, if there is one. */
  confirmation: ReactNode;
}

/** Wraps calls that need a fresh proof of identity (`identity_unproven`). */
export function useProven(): Proven {
  const [asked, setAsked] = useState<Asked>();
  const [open, setOpen] = useState(false);
  const Dialog = use(ProofDialog);

  const prove = useCallback(async <Result,>(action: string, run: () => Promise<Result>) => {
    try {
      return await run();
    } catch (cause) {
      const methods = methodsOf(cause);
      if (!methods) throw cause;
      const proven = await new Promise<boolean>((settle) => {
        setAsked({ action, methods, settle });
        setOpen(true);
      });
      return proven ? run() : undefined;
    }
  }, []);

  function end(proven: boolean) {
    setOpen(false);
    asked?.settle(proven);
  }

  return {
    prove,
    confirmation:
      asked && Dialog ? (
        <Suspense>
          <Dialog open={open} action={asked.action} methods={asked.methods} onEnd={end} />
        </Suspense>
      ) : null,
  };
}

/** The proof that the operation of a form needs; the dialog names its action. */
export function useProof(action: string): Proof {
  const { prove, confirmation } = useProven();
  return { prove: (run) => prove(action, run), confirmation };
}

/** Returns the methods of proof that a refusal names; undefined for any other error. */
function methodsOf(cause: unknown): ProofMethod[] | undefined {
  const body = toFormError(cause).body as { requires_identity?: unknown; methods?: unknown } | undefined;
  if (body?.requires_identity !== true) return undefined;
  return strongestFirst(Array.isArray(body.methods) ? body.methods : []);
}
