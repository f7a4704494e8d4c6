"use client";

import { useTranslations } from "next-intl";
import { FormCheckbox } from "@/components/form/form-checkbox";
import { PLATFORM_MODULES } from "@/server/domains/accounts/profile/policy";

type Module = (typeof PLATFORM_MODULES)[number];
/** A list of modules as boxes, ticked or not. */
export type ModuleBoxes = Record<Module, boolean>;

/** The checkboxes of a list of modules; null ticks all that the inviter has. */
export function boxesOf(allowed: readonly string[] | null, own: readonly string[]): ModuleBoxes {
  const ticked = (name: Module) => own.includes(name) && (allowed?.includes(name) ?? true);
  return Object.fromEntries(PLATFORM_MODULES.map((name) => [name, ticked(name)])) as ModuleBoxes;
}

/** The list that the checkboxes stand for: null when all are ticked, so that later modules are included. */
export function modulesOf(boxes: ModuleBoxes, own: readonly string[]): Module[] | null {
  const ticked = PLATFORM_MODULES.filter((name) => own.includes(name) && boxes[name]);
  return ticked.length === own.length ? null : ticked;
}

/** Which modules a member may use; the field's name in the form is `modules`. */
export function ModulesField({ own }: { own: readonly string[] }) {
  const t = useTranslations("team.modules");
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium text-sm">{t("label")}</legend>
      <p className="mt-0.5 text-compact text-fg-muted">{t("hint")}</p>
      <div className="mt-3 flex flex-col gap-3">
        {PLATFORM_MODULES.filter((name) => own.includes(name)).map((name) => (
          <FormCheckbox key={name} name={`modules.${name}`} label={t(name)} />
        ))}
      </div>
    </fieldset>
  );
}
