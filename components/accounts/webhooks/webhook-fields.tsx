"use client";

import { useTranslations } from "next-intl";
import { FormField } from "@/components/form/form-field";
import { Checkbox } from "@/components/ui/checkbox";
import { RadioGroup } from "@/components/ui/radio-group";
import { eventMessageKey } from "./event-message-key";
import type { EventType } from "./types";

/** Fields of a webhook. No selected event means all, as in the API. */
export function WebhookFields({ eventTypes }: { eventTypes: readonly EventType[] }) {
  const t = useTranslations("webhooks");
  return (
    <>
      <FormField
        name="url"
        label={t("field.url")}
        hint={t("field.urlHint")}
        type="url"
        inputMode="url"
        dir="ltr"
        autoComplete="off"
      />
      <FormField name="events" label={t("field.which")} group>
        {({ value, onChange }) => {
          const selectedTypes: EventType[] = value ?? [];
          return (
            <div className="flex flex-col gap-3">
              <RadioGroup
                aria-label={t("field.which")}
                value={selectedTypes.length === 0 ? "all" : "some"}
                onValueChange={(next) => onChange(next === "all" ? [] : [...eventTypes])}
                options={[
                  { value: "all", label: t("field.all") },
                  { value: "some", label: t("field.some") },
                ]}
              />
              {selectedTypes.length === 0 ? null : (
                <div className="flex flex-col gap-2 ps-7">
                  {eventTypes.map((type) => (
                    <Checkbox
                      key={type}
                      label={t(`event.${eventMessageKey(type)}`)}
                      hint={<span dir="ltr">{type}</span>}
                      checked={selectedTypes.includes(type)}
                      // Keep the last one: an empty list means all events.
                      disabled={selectedTypes.length === 1 && selectedTypes[0] === type}
                      onChange={(event) =>
                        onChange(
                          event.target.checked
                            ? [...selectedTypes, type]
                            : selectedTypes.filter((each) => each !== type),
                        )
                      }
                    />
                  ))}
                </div>
              )}
            </div>
          );
        }}
      </FormField>
      <FormField
        name="description"
        label={t("field.description")}
        hint={t("field.descriptionHint")}
        optional
        autoComplete="off"
      />
    </>
  );
}
