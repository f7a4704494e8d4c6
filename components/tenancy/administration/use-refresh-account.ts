import { useRouter } from "next/navigation";
import { api } from "@/components/api/client";

/** Reloads an account's page, its sign-in checks and the list of accounts. */
export function useRefreshAccount(): () => void {
  const router = useRouter();
  const utils = api.useUtils();
  return () => {
    void utils.signIn.invalidate();
    void utils.administration.listUsers.invalidate();
    router.refresh();
  };
}
