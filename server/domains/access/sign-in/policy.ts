export const RESET_LINK_MINUTES = 60;

export const INTERIM_TOKEN_MINUTES = 10;

/** Cookie with the browser's last sign-in method, for display only. */
export const LAST_SIGN_IN_COOKIE = "way";

const SIGN_IN_METHODS = ["password", "passkey", "google", "apple"] as const;
export type LastSignInMethod = (typeof SIGN_IN_METHODS)[number];

export function parseLastSignInMethod(cookieValue: string | undefined): LastSignInMethod | undefined {
  return SIGN_IN_METHODS.find((method) => method === cookieValue);
}
