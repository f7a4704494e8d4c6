"use client";

import { useFormContext } from "react-hook-form";

/** Hidden from sight, screen readers and keyboard: only bots fill it in. */
export function Honeypot() {
  const { register } = useFormContext();
  return (
    <div aria-hidden="true" className="pointer-events-none absolute -start-[200vw] size-px overflow-hidden">
      <input
        type="text"
        tabIndex={-1}
        autoComplete="off"
        data-1p-ignore
        data-lpignore="true"
        {...register("company_fax")}
      />
    </div>
  );
}
