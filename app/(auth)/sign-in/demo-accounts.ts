import type { DemoAccount } from "@/components/access/sign-in/demo-accounts";

const password = "demo-password";

/** Demo accounts of server/demo/seed.ts. */
export const DEMO_ACCOUNTS: readonly DemoAccount[] = [
  { role: "customer", email: "customer@example.com", password },
  { role: "agent", email: "agent@example.com", password },
  { role: "full", email: "full@example.com", password },
  { role: "reseller", email: "reseller@example.com", password },
  { role: "unsigned", email: "unsigned@example.com", password },
  { role: "admin", email: "admin@example.com", password },
];
