import { useQuery } from "@tanstack/react-query";
import { useLocale } from "next-intl";
import type { DocName } from "@/components/docs/doc-name";

export function useDocNames(enabled: boolean): { names: readonly DocName[]; isFetching: boolean } {
  const locale = useLocale();
  const { data = [], isFetching } = useQuery({
    queryKey: ["doc-names", locale],
    queryFn: async ({ signal }): Promise<DocName[]> => {
      const response = await fetch("/docs/names", { signal });
      if (!response.ok) throw new Error(`The documentation answers ${response.status}`);
      return response.json();
    },
    enabled,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return { names: data, isFetching };
}
