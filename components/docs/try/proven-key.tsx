"use client";

import { useProven } from "@/components/accounts/users/use-proven";
import { buttonStyle } from "@/components/ui/button-style";

export interface ProvenKeyProps {
  label: string;
  make: () => Promise<string>;
  get: (createKey: () => Promise<string | undefined>) => Promise<void>;
}

/** Creates a key with all abilities, after a proof of identity. */
export function ProvenKey({ label, make, get }: ProvenKeyProps) {
  const { prove, confirmation } = useProven();
  return (
    <>
      <button
        type="button"
        onClick={() => get(() => prove(label, make))}
        className={buttonStyle({ size: "sm" })}
      >
        {label}
      </button>
      {confirmation}
    </>
  );
}
