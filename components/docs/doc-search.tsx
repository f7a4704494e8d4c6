"use client";

import { Search } from "lucide-react";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useRef, useTransition } from "react";
import { Input } from "@/components/ui/input";

const TYPING_DELAY_MS = 250;

export interface DocSearchProps {
  base: string;
  query: string;
  label: string;
  resultText?: string;
}

/** Searches on the server: while typing, or on Enter without scripts. */
export function DocSearch({ base, query, label, resultText }: DocSearchProps) {
  const router = useRouter();
  const timer = useRef<number>(undefined);
  const [, startTransition] = useTransition();

  function updateQuery(text: string, delayMs: number) {
    window.clearTimeout(timer.current);
    const url = `${base}${text.trim() ? `?q=${encodeURIComponent(text)}` : ""}` as Route;
    timer.current = window.setTimeout(
      () => startTransition(() => router.replace(url, { scroll: false })),
      delayMs,
    );
  }

  return (
    <search>
      <form
        action={base}
        onSubmit={(event) => {
          event.preventDefault();
          updateQuery(String(new FormData(event.currentTarget).get("q")), 0);
        }}
      >
        <Input
          type="search"
          name="q"
          size="sm"
          aria-label={label}
          placeholder={label}
          before={<Search />}
          maxLength={100}
          defaultValue={query}
          onChange={(event) => updateQuery(event.target.value, TYPING_DELAY_MS)}
        />
      </form>
      <p role="status" className="sr-only">
        {resultText}
      </p>
    </search>
  );
}
