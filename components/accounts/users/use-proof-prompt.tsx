"use client";

import { type ReactNode, use, useCallback, useState } from "react";
import { toFormError } from "@/components/api/form-error";
import type { FormProof } from "@/components/form/use-operation-form";
import { ProofDialog } from "./proof-dialog";
import { type ProofMethod, sortProofMethods } from "./proof-method";

interface ProofRequest {
  actionLabel: string;
  methods: readonly ProofMethod[];
  settle: (proven: boolean) => void;
}

export interface ProofPrompt {
  /** Runs a call. On `identity_unproven`, asks for a proof and retries. Undefined if cancelled. */
  prove: <Result>(actionLabel: string, run: () => Promise<Result>) => Promise<Result | undefined>;
  /** The dialog. Render it once: outside of forms, but inside an open dialog that starts the action. */
  proofDialog: ReactNode;
}

/** Wraps calls that need a recent proof of identity. */
export function useProofPrompt(): ProofPrompt {
  const [request, setRequest] = useState<ProofRequest>();
  const [isOpen, setOpen] = useState(false);
  const Dialog = use(ProofDialog);

  const prove = useCallback(async <Result,>(actionLabel: string, run: () => Promise<Result>) => {
    try {
      return await run();
    } catch (error) {
      const methods = getProofMethods(error);
      if (!methods) throw error;
      const hasProof = await new Promise<boolean>((settle) => {
        setRequest({ actionLabel, methods, settle });
        setOpen(true);
      });
      return hasProof ? run() : undefined;
    }
  }, []);

  function finish(proven: boolean) {
    setOpen(false);
    request?.settle(proven);
  }

  return {
    prove,
    proofDialog:
      request && Dialog ? (
        <Dialog open={isOpen} actionLabel={request.actionLabel} methods={request.methods} onEnd={finish} />
      ) : null,
  };
}

/** Returns the `proof` option of `useOperationForm`. */
export function useFormProof(actionLabel: string): FormProof {
  const { prove, proofDialog } = useProofPrompt();
  return { prove: (run) => prove(actionLabel, run), proofDialog };
}

function getProofMethods(error: unknown): ProofMethod[] | undefined {
  const body = toFormError(error).body as { requires_identity?: unknown; methods?: unknown } | undefined;
  if (body?.requires_identity !== true) return undefined;
  return sortProofMethods(Array.isArray(body.methods) ? body.methods : []);
}
