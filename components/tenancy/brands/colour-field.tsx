"use client";

import { useTranslations } from "next-intl";
import { FormField } from "@/components/form/form-field";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";

const HEX_COLOUR = /^#[0-9a-f]{6}$/i;
const DEFAULT_COLOUR = "#3655cd";

export function ColourField() {
  const t = useTranslations("branding");
  return (
    <FormField name="color" label={t("color")} hint={t("colorHint")} optional>
      {({ value, onChange, onBlur, ref }) => (
        <div className="flex flex-wrap items-center gap-3">
          <div className="w-44">
            <Input
              ref={ref}
              name="color"
              dir="ltr"
              spellCheck={false}
              autoComplete="off"
              maxLength={7}
              value={value ?? ""}
              onBlur={onBlur}
              onChange={(event) => onChange(event.target.value)}
              after={
                <input
                  type="color"
                  aria-label={t("pick")}
                  value={HEX_COLOUR.test(value ?? "") ? String(value).toLowerCase() : DEFAULT_COLOUR}
                  onChange={(event) => onChange(event.target.value.toUpperCase())}
                  className="size-8 cursor-pointer rounded-control border border-border-strong bg-surface p-0.5"
                />
              }
            />
          </div>
          {value ? (
            <Button size="sm" variant="ghost" onClick={() => onChange("")}>
              {t("ownColors")}
            </Button>
          ) : null}
        </div>
      )}
    </FormField>
  );
}
