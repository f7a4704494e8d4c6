interface Body {
  message?: string;
  error?: string;
  errors?: Record<string, string[]>;
}

/** Returns the messages of an error response. The first field error takes precedence. */
export function errorTexts(body: unknown): { message?: string; errors?: Record<string, string[]> } {
  const { message, error, errors } = Object(body) as Body;
  const [first] = Object.values(errors ?? {}).flat();
  return { message: first ?? error ?? message, errors };
}
