"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";

export interface SectionNavProps {
  /** `id` of an element on the page, and its name. */
  sections: readonly { id: string; label: string }[];
}

/** Links to the sections of a long page. Marks the one at the top of the window, or the last at the page's end. */
export function SectionNav({ sections }: SectionNavProps) {
  const t = useTranslations("ui");
  const [currentId, setCurrentId] = useState<string>();
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.find(({ isIntersecting }) => isIntersecting);
        if (entry) setCurrentId(entry.target.id);
      },
      { rootMargin: "-15% 0% -80% 0%" },
    );
    for (const { id } of sections) {
      const element = document.getElementById(id);
      if (element) observer.observe(element);
    }
    // Short sections at the end never reach the top.
    function markLast() {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
      if (scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1) setCurrentId(sections.at(-1)?.id);
    }
    document.addEventListener("scroll", markLast, { passive: true });
    return () => {
      observer.disconnect();
      document.removeEventListener("scroll", markLast);
    };
  }, [sections]);
  return (
    <nav aria-label={t("onThisPage")} className="rounded-card border border-border bg-surface p-3">
      <p className="px-2 pt-1 pb-2 font-medium text-compact text-fg-muted">{t("onThisPage")}</p>
      <ul className="grid gap-0.5 max-xl:grid-cols-2">
        {sections.map(({ id, label }) => (
          <li key={id} className="min-w-0">
            <a
              href={`#${id}`}
              aria-current={id === currentId ? "location" : undefined}
              onClick={() => setCurrentId(id)}
              className="wrap-anywhere flex min-h-8 items-center rounded-control px-2 py-1 text-sm hover:bg-sunken focus-visible:-outline-offset-2 aria-[current]:bg-primary-soft aria-[current]:font-medium aria-[current]:text-primary-text pointer-coarse:min-h-11"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
