"use client";

import { ErrorState } from "@/components/ui/error-state";

/** A page failed to render: what the person can do, and the error id that support needs. */
export default function PageError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <main id="main" tabIndex={-1} className="grid min-h-[70dvh] place-items-center px-4">
      <ErrorState heading="h1" requestId={error.digest} onRetry={reset} />
    </main>
  );
}
