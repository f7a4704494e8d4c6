interface Body {
  message?: string;
  error?: string;
  errors?: Record<string, string[]>;
}

/** The texts of a refused request; the first of a field is its message. */
export function textsOf(body: unknown): { message?: string; errors?: Record<string, string[]> } {
  const { message, error, errors } = Object(body) as Body;
  const [first] = Object.values(errors ?? {}).flat();
  return { message: first ?? error ?? message, errors };
}
