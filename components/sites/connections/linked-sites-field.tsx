"use client";

import { useTranslations } from "next-intl";
import { FormField } from "@/components/form/form-field";
import { Checkbox } from "@/components/ui/checkbox";
import { RadioGroup } from "@/components/ui/radio-group";
import type { OwnSite } from "./types";

export interface LinkedSitesFieldProps {
  label: string;
  sites: readonly OwnSite[];
}

export function LinkedSitesField({ label, sites }: LinkedSitesFieldProps) {
  const t = useTranslations("connections");
  return (
    <FormField name="site_ids" label={label} hint={t("connect.sitesHint")} group>
      {({ value, onChange }) => {
        const selectedIds: number[] = value ?? [];
        return (
          <div className="flex flex-col gap-2">
            {sites.map(({ id, name, isActive }) => (
              <Checkbox
                key={id}
                label={<bdi>{name}</bdi>}
                hint={isActive ? undefined : t("connect.siteSuspended")}
                checked={selectedIds.includes(id)}
                onChange={(event) =>
                  onChange(
                    event.target.checked
                      ? [...selectedIds, id]
                      : selectedIds.filter((siteId) => siteId !== id),
                  )
                }
              />
            ))}
          </div>
        );
      }}
    </FormField>
  );
}

/** For channels with exactly one site. */
export function LinkedSiteField({ label, sites }: LinkedSitesFieldProps) {
  const t = useTranslations("connections");
  return (
    <FormField name="site_ids" label={label} group>
      {({ value, onChange }) => (
        <RadioGroup
          options={sites.map(({ id, name, isActive }) => ({
            value: String(id),
            label: <bdi>{name}</bdi>,
            hint: isActive ? undefined : t("connect.siteSuspended"),
          }))}
          value={String(value?.[0] ?? "")}
          onValueChange={(siteId) => onChange([Number(siteId)])}
        />
      )}
    </FormField>
  );
}
