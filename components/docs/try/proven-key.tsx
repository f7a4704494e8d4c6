"use client";

import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { buttonStyle } from "@/components/ui/button-style";

export interface ProvenKeyProps {
  label: string;
  createKey: () => Promise<string>;
  createAndUseKey: (createKey: () => Promise<string | undefined>) => Promise<void>;
}

export function ProvenKey({ label, createKey, createAndUseKey }: ProvenKeyProps) {
  const { prove, proofDialog } = useProofPrompt();
  return (
    <>
      <button
        type="button"
        onClick={() => createAndUseKey(() => prove(label, createKey))}
        className={buttonStyle({ size: "sm" })}
      >
        {label}
      </button>
      {proofDialog}
    </>
  );
}
