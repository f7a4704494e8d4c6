"use client";

import { KeyUseContent, KeyUseDrawer } from "@/components/accounts/key-use/key-use-drawer";
import { api } from "@/components/api/client";
import type { ApiKey } from "./types";

export function TokenUse({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  return (
    <KeyUseDrawer name={name}>
      <TokenUseContent id={id} />
    </KeyUseDrawer>
  );
}

function TokenUseContent({ id }: { id: number }) {
  const { data, error, refetch } = api.tokens.keyUse.useQuery(
    { params: { id: String(id) } },
    { staleTime: 0 },
  );
  return <KeyUseContent use={data?.use} error={error} refetch={refetch} />;
}
