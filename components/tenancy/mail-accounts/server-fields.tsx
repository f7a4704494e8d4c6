"use client";

import { useTranslations } from "next-intl";
import { useFormContext } from "react-hook-form";
import { FormField } from "@/components/form/form-field";
import { RadioGroup } from "@/components/ui/radio-group";

const EXAMPLE_HOST = "smtp.example.com";

const DEFAULT_PORTS = { starttls: "587", tls: "465" } as const;
type Encryption = keyof typeof DEFAULT_PORTS;

/** The port follows the encryption unless it was edited. */
export function ServerFields() {
  const t = useTranslations("mailAccount");
  const { getValues, setValue } = useFormContext();

  function setDefaultPort(encryption: Encryption) {
    const defaultPorts: unknown[] = Object.values(DEFAULT_PORTS);
    if (defaultPorts.includes(getValues("port")))
      setValue("port", DEFAULT_PORTS[encryption], { shouldDirty: true });
  }

  return (
    <>
      <div className="grid gap-5 sm:grid-cols-[minmax(0,1fr)_8rem]">
        <FormField
          name="host"
          label={t("host")}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          placeholder={EXAMPLE_HOST}
        />
        <FormField name="port" label={t("port")} inputMode="numeric" autoComplete="off" dir="ltr" />
      </div>
      <FormField name="encryption" label={t("encryption")} group>
        {(control) => (
          <RadioGroup<Encryption>
            value={control.value}
            onValueChange={(encryption) => {
              control.onChange(encryption);
              setDefaultPort(encryption);
            }}
            options={[
              { value: "starttls", label: t("starttls"), hint: t("starttlsHint") },
              { value: "tls", label: t("tls"), hint: t("tlsHint") },
            ]}
          />
        )}
      </FormField>
    </>
  );
}
