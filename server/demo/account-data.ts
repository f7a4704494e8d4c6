export const DEMO_PASSWORD = "demo-password";
export const SIGN_UP_LOCALE = "en";

export const buildAccountData = (email: string, name: string, phone: string) => ({
  email,
  name,
  phone,
  password: DEMO_PASSWORD,
  signUpLocale: SIGN_UP_LOCALE,
});
