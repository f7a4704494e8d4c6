"use client";

import { UseContent, UseDrawer } from "@/components/accounts/key-use/use-drawer";
import { api } from "@/components/api/client";
import type { Key } from "./types";

export function TokenUse({ apiKey: { id, name } }: { apiKey: Key }) {
  return (
    <UseDrawer name={name}>
      <Content id={id} />
    </UseDrawer>
  );
}

function Content({ id }: { id: number }) {
  const { data, error, refetch } = api.tokens.keyUse.useQuery(
    { params: { id: String(id) } },
    { staleTime: 0 },
  );
  return <UseContent use={data?.use} error={error} refetch={refetch} />;
}
