"use client";

import { Search } from "lucide-react";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useTransition } from "react";
import { Input } from "@/components/ui/input";

const TYPING_DELAY_MS = 250;

export interface DocSearchProps {
  basePath: string;
  query: string;
  label: string;
  resultText?: string;
}

/** Searches on the server: while the user types and on Enter, or only on Enter if JavaScript is off. */
export function DocSearch({ basePath, query, label, resultText }: DocSearchProps) {
  const router = useRouter();
  const timer = useRef<number>(undefined);
  const [, startTransition] = useTransition();
  useEffect(() => () => window.clearTimeout(timer.current), []);

  function scheduleSearch(text: string, delayMs: number) {
    window.clearTimeout(timer.current);
    const url = `${basePath}${text.trim() ? `?q=${encodeURIComponent(text)}` : ""}` as Route;
    timer.current = window.setTimeout(
      () => startTransition(() => router.replace(url, { scroll: false })),
      delayMs,
    );
  }

  return (
    <search>
      <form
        action={basePath}
        onSubmit={(event) => {
          event.preventDefault();
          scheduleSearch(String(new FormData(event.currentTarget).get("q")), 0);
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
          onChange={(event) => scheduleSearch(event.target.value, TYPING_DELAY_MS)}
        />
      </form>
      <p role="status" className="sr-only">
        {resultText}
      </p>
    </search>
  );
}
