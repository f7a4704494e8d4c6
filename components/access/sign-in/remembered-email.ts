const EMAIL_STORAGE_KEY = "sign-in-email";

export function readRememberedEmail(): string | null {
  try {
    return window.localStorage.getItem(EMAIL_STORAGE_KEY);
  } catch {
    return null;
  }
}

export function rememberEmail(email: string | null): void {
  try {
    if (email) window.localStorage.setItem(EMAIL_STORAGE_KEY, email);
    else window.localStorage.removeItem(EMAIL_STORAGE_KEY);
  } catch {
    // Without storage only this convenience is lost.
  }
}
