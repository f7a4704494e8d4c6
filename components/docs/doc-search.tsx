"use client";

import { Search } from "lucide-react";
import { useTranslations } from "next-intl";
import { debounce, parseAsString, useQueryState } from "nuqs";
import { useTransition } from "react";
import { Input } from "@/components/ui/input";

/** Filters the operations on the server: while typing with scripts, on Enter without. */
export function DocSearch({ query, count }: { query: string; count: number }) {
  const t = useTranslations("docs");
  const [, start] = useTransition();
  const [typed, setTyped] = useQueryState(
    "q",
    parseAsString.withDefault(query).withOptions({ shallow: false, startTransition: start }),
  );
  return (
    <search>
      <form action="/docs" onSubmit={(event) => event.preventDefault()}>
        <Input
          type="search"
          name="q"
          size="sm"
          aria-label={t("search")}
          placeholder={t("search")}
          before={<Search />}
          maxLength={100}
          value={typed}
          onChange={(event) =>
            setTyped(event.target.value || null, {
              limitUrlUpdates: event.target.value ? debounce(250) : undefined,
            })
          }
        />
      </form>
      <p role="status" className="sr-only">
        {query ? t("found", { count }) : null}
      </p>
    </search>
  );
}
