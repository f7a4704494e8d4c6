"use client";

import { useTranslations } from "next-intl";
import { use } from "react";
import { JUMP_KEYS } from "@/components/navigation/commands";
import { Dialog } from "@/components/ui/dialog";
import { hasSingleKeyShortcuts } from "@/components/ui/preference";
import { TextLink } from "@/components/ui/text-link";
import { MenuContext } from "./menu-context";
import { type MenuGroups, useMenu } from "./use-menu";

export interface ShortcutSheetProps {
  groups: MenuGroups;
  open: boolean;
  activeKeys: ReadonlySet<string>;
  onOpenChange: (open: boolean) => void;
}

export function ShortcutSheet({ groups, open, activeKeys, onOpenChange }: ShortcutSheetProps) {
  const t = useTranslations("palette.shortcuts");
  const { labels } = use(MenuContext);
  const { getLabel } = useMenu(groups, labels);
  const jumps = groups
    .flatMap(({ entries }) => entries)
    .flatMap(({ key }) => (JUMP_KEYS[key] ? [{ keys: `g ${JUMP_KEYS[key]}`, label: getLabel(key) }] : []));
  const activeListShortcuts = [
    { key: "j", keys: "j · k", label: t("rows") },
    { key: "x", keys: "x", label: t("choose") },
    { key: "Shift x", keys: "Shift X", label: t("range") },
    { key: "e", keys: "e", label: t("edit") },
    { key: " ", keys: t("space"), label: t("peek") },
    { key: ".", keys: ".", label: t("menu") },
    { key: "Delete", keys: "Delete", label: t("remove") },
    { key: "[", keys: "[ · ]", label: t("pages") },
    { key: "c", keys: "c", label: t("create") },
  ].filter(({ key }) => activeKeys.has(key) || (key === "[" && activeKeys.has("]")));
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t("title")} description={t("text")}>
      <div className="flex flex-col gap-5">
        <ShortcutList
          rows={[
            { keys: "Ctrl K · ⌘ K", label: t("palette") },
            { keys: "> · @ · # · /", label: t("only") },
            { keys: "/", label: t("search") },
            { keys: "?", label: t("sheet") },
            ...(activeKeys.has("Delete") ? [{ keys: "Ctrl Z · ⌘ Z", label: t("undo") }] : []),
            { keys: "Ctrl S · ⌘ S", label: t("save") },
            { keys: "Esc", label: t("close") },
          ]}
        />
        {activeListShortcuts.length > 0 ? (
          <section className="flex flex-col gap-1">
            <h3 className="font-semibold text-sm">{t("lists")}</h3>
            <ShortcutList rows={activeListShortcuts} />
          </section>
        ) : null}
        <section className="flex flex-col gap-1">
          <h3 className="font-semibold text-sm">{t("jumps")}</h3>
          <ShortcutList rows={jumps} />
        </section>
        <p className="text-compact text-fg-muted">
          <span>{hasSingleKeyShortcuts() ? t("on") : t("off")}</span>{" "}
          <TextLink href="/settings/profile#keys" onClick={() => onOpenChange(false)}>
            {t("change")}
          </TextLink>
        </p>
      </div>
    </Dialog>
  );
}

function ShortcutList({ rows }: { rows: ReadonlyArray<{ keys: string; label: string }> }) {
  return (
    <dl className="divide-y divide-border">
      {rows.map(({ keys, label }) => (
        <div key={keys} className="flex min-h-9 items-center justify-between gap-4 text-sm">
          <dt className="min-w-0">
            <bdi>{label}</bdi>
          </dt>
          <dd>
            <kbd
              dir="ltr"
              className="whitespace-nowrap rounded-control border border-border px-1.5 text-compact text-fg-muted"
            >
              {keys}
            </kbd>
          </dd>
        </div>
      ))}
    </dl>
  );
}
