"use client";

import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { buttonStyle } from "@/components/ui/button-style";

export interface ProvenKeyButtonProps {
  label: string;
  createKey: () => Promise<string>;
  createAndUseKey: (createKey: () => Promise<string | undefined>) => Promise<void>;
}

export function ProvenKeyButton({ label, createKey, createAndUseKey }: ProvenKeyButtonProps) {
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
