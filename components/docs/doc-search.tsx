"use client";

import { Search } from "lucide-react";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useRef, useTransition } from "react";
import { Input } from "@/components/ui/input";

const TYPING_DELAY = 250;

export interface DocSearchProps {
  base: string;
  query: string;
  label: string;
  /** Number of results, for screen readers. */
  resultText?: string;
}

/** Searches on the server: while typing, or on Enter without scripts. */
export function DocSearch({ base, query, label, resultText }: DocSearchProps) {
  const router = useRouter();
  const timer = useRef<number>(undefined);
  const [, start] = useTransition();

  function updateQuery(text: string, delay: number) {
    window.clearTimeout(timer.current);
    const address = `${base}${text.trim() ? `?q=${encodeURIComponent(text)}` : ""}` as Route;
    timer.current = window.setTimeout(() => start(() => router.replace(address, { scroll: false })), delay);
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
          onChange={(event) => updateQuery(event.target.value, TYPING_DELAY)}
        />
      </form>
      <p role="status" className="sr-only">
        {resultText}
      </p>
    </search>
  );
}
