interface ErrorBody {
  message?: string;
  error?: string;
  errors?: Record<string, string[]>;
}

/** Returns the messages of an error response. The first field error takes precedence. */
export function parseErrorTexts(body: unknown): { message?: string; errors?: Record<string, string[]> } {
  const { message, error, errors } = Object(body) as ErrorBody;
  const [firstFieldError] = Object.values(errors ?? {}).flat();
  return { message: firstFieldError ?? error ?? message, errors };
}
