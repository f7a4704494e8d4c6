"use client";

import { KeyUseContent, KeyUseDrawer } from "@/components/accounts/key-use/key-use-drawer";
import { api } from "@/components/api/client";
import type { ApiKey } from "./types";

export function ApiKeyUseDrawer({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  return (
    <KeyUseDrawer keyName={name}>
      <ApiKeyUseContent id={id} />
    </KeyUseDrawer>
  );
}

function ApiKeyUseContent({ id }: { id: number }) {
  const { data, error, refetch } = api.tokens.keyUse.useQuery(
    { params: { id: String(id) } },
    { staleTime: 0 },
  );
  return <KeyUseContent use={data?.use} error={error} refetch={refetch} />;
}
