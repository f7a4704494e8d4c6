"use client";

import { useRouter } from "next/navigation";
import type * as z from "zod";
import { api, call } from "@/components/api/client";
import { toast } from "@/components/ui/toast";
import type { updateSite } from "@/server/domains/sites/sites/contract";

type Body = z.input<NonNullable<typeof updateSite.body>>;

export function useUpdateSite(siteId: number) {
  const router = useRouter();
  const utils = api.useUtils();
  const refresh = () => {
    router.refresh();
    return utils.sites.invalidate();
  };
  return {
    update: (body: Partial<Body>) => call.sites.update.mutate({ params: { id: String(siteId) }, body }),
    refresh,
    showSaved: async ({ message }: { message: string }, onBeforeRefresh: () => void) => {
      toast.success(message);
      onBeforeRefresh();
      await refresh();
    },
  };
}
