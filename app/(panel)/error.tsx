"use client";

import { ErrorState } from "@/components/ui/error-state";

export default function PanelError({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return <ErrorState heading="h1" requestId={error.digest} onRetry={reset} />;
}
