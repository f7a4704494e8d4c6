"use client";

import { type ReactNode, Suspense, use, useCallback, useState } from "react";
import { toFormError } from "@/components/api/form-error";
import type { Proof } from "@/components/form/use-operation-form";
import { ProofDialog } from "./proof-dialog";
import { type ProofMethod, strongestFirst } from "./proof-method";

interface ProofRequest {
  action: string;
  methods: readonly ProofMethod[];
  settle: (proven: boolean) => void;
}

export interface Proven {
  /** Runs a call; on `identity_unproven`, asks for a proof and retries. Undefined if cancelled. */
  prove: <Result>(action: string, run: () => Promise<Result>) => Promise<Result | undefined>;
  /** The dialog. Render it once: outside of forms, but inside the dialog that starts the action, if any. */
  confirmation: ReactNode;
}

/** Wraps calls that need a recent proof of identity. */
export function useProven(): Proven {
  const [request, setRequest] = useState<ProofRequest>();
  const [open, setOpen] = useState(false);
  const Dialog = use(ProofDialog);

  const prove = useCallback(async <Result,>(action: string, run: () => Promise<Result>) => {
    try {
      return await run();
    } catch (cause) {
      const methods = methodsOf(cause);
      if (!methods) throw cause;
      const proven = await new Promise<boolean>((settle) => {
        setRequest({ action, methods, settle });
        setOpen(true);
      });
      return proven ? run() : undefined;
    }
  }, []);

  function finish(proven: boolean) {
    setOpen(false);
    request?.settle(proven);
  }

  return {
    prove,
    confirmation:
      request && Dialog ? (
        <Suspense>
          <Dialog open={open} action={request.action} methods={request.methods} onEnd={finish} />
        </Suspense>
      ) : null,
  };
}

/** Proof for the operation of a form. */
export function useProof(action: string): Proof {
  const { prove, confirmation } = useProven();
  return { prove: (run) => prove(action, run), confirmation };
}

/** Returns the accepted methods; undefined for any other error. */
function methodsOf(cause: unknown): ProofMethod[] | undefined {
  const body = toFormError(cause).body as { requires_identity?: unknown; methods?: unknown } | undefined;
  if (body?.requires_identity !== true) return undefined;
  return strongestFirst(Array.isArray(body.methods) ? body.methods : []);
}
