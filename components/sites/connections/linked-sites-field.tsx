"use client";

import { FormField } from "@/components/form/form-field";
import { Checkbox } from "@/components/ui/checkbox";
import type { OwnSite } from "./types";

export function LinkedSitesField({ label, sites }: { label: string; sites: readonly OwnSite[] }) {
  return (
    <FormField name="site_ids" label={label} group>
      {({ value, onChange }) => {
        const selectedIds: number[] = value ?? [];
        return (
          <div className="flex flex-col gap-2">
            {sites.map(({ id, name }) => (
              <Checkbox
                key={id}
                label={<bdi>{name}</bdi>}
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
