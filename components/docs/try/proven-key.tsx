"use client";

import { useProofPrompt } from "@/components/accounts/users/use-proof-prompt";
import { buttonStyle } from "@/components/ui/button-style";

export interface ProvenKeyProps {
  label: string;
  createKey: () => Promise<string>;
  obtainKey: (createKey: () => Promise<string | undefined>) => Promise<void>;
}

/** Creates a key with all abilities, after a proof of identity. */
export function ProvenKey({ label, createKey, obtainKey }: ProvenKeyProps) {
  const { prove, confirmation } = useProofPrompt();
  return (
    <>
      <button
        type="button"
        onClick={() => obtainKey(() => prove(label, createKey))}
        className={buttonStyle({ size: "sm" })}
      >
        {label}
      </button>
      {confirmation}
    </>
  );
}
