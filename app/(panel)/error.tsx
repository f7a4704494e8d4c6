"use client";

import { ErrorState } from "@/components/ui/error-state";
import { LoadError } from "@/components/ui/load-error";

interface Props {
  /** Has a digest if the server failed. */
  error: Error & { digest?: string };
  reset: () => void;
}

export default function PanelError({ error, reset }: Props) {
  if (error.digest) return <ErrorState heading="h1" requestId={error.digest} onRetry={reset} />;
  return <LoadError heading="h1" error={error} resetErrorBoundary={reset} />;
}
