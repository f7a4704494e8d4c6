"use client";

import { useTranslations } from "next-intl";
import { useEffect, useId, useRef, useState } from "react";
import { Card } from "@/components/ui/card";
import { ProgressBar } from "@/components/ui/progress-bar";
import { useFormat } from "@/components/ui/use-format";
import type { Agreement } from "./types";

export interface AgreementTextProps {
  agreement: Agreement;
  onRead: () => void;
}

export function AgreementText({ agreement, onRead }: AgreementTextProps) {
  const t = useTranslations("agreement");
  const { percent } = useFormat();
  const id = useId();
  const boxRef = useRef<HTMLElement>(null);
  const [readPercent, setReadPercent] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a text that fits the box counts as read
  useEffect(updateReadPercent, []);

  function updateReadPercent() {
    const { scrollTop, clientHeight, scrollHeight } = boxRef.current!;
    // 4 pixels of tolerance, because browsers round scroll positions.
    const visiblePercent = Math.min(100, Math.ceil(((scrollTop + clientHeight + 4) / scrollHeight) * 100));
    setReadPercent((lastPercent) => Math.max(lastPercent, visiblePercent));
    if (visiblePercent >= 100) onRead();
  }

  return (
    <Card title={t("version", { version: agreement.version })}>
      <div className="flex flex-col gap-4">
        <section
          ref={boxRef}
          aria-label={t("title")}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
          tabIndex={0}
          onScroll={updateReadPercent}
          lang={agreement.locale}
          className="max-h-96 overflow-y-auto rounded-control border border-border p-4 print:max-h-none print:overflow-visible"
        >
          {splitParagraphs(agreement.body).map((text, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the paragraphs never change order and may repeat
            <p key={index} className="wrap-anywhere mb-4 text-sm last:mb-0">
              {text}
            </p>
          ))}
        </section>
        {agreement.due ? (
          <ProgressBar
            id={id}
            value={readPercent}
            max={100}
            label={t("read")}
            valueText={percent(readPercent / 100)}
          />
        ) : null}
      </div>
    </Card>
  );
}

function splitParagraphs(body: string): string[] {
  return body.split(/\n\s*\n/).filter((text) => text.trim());
}
