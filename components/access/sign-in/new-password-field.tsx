"use client";

import { clsx } from "clsx";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { useWatch } from "react-hook-form";
import { FormField } from "@/components/form/form-field";
import { isPasswordOwnAddress } from "@/server/core/email-and-domain";

/** Mirrors the minimum of the contract (docs/contract.md 8). */
const MIN_PASSWORD_LENGTH = 8;

interface NewPasswordFieldProps {
  label: string;
  name?: string;
  email?: string;
}

/** The strength meter only advises: the server validates. */
export function NewPasswordField({ label, name = "password", email }: NewPasswordFieldProps) {
  const [password, typedEmail] = useWatch({ name: [name, "email"] }) as Array<string | undefined>;
  return (
    <FormField
      name={name}
      as="password"
      label={label}
      autoComplete="new-password"
      hint={<PasswordStrength password={password ?? ""} email={email ?? typedEmail ?? ""} />}
    />
  );
}

type StrengthLevel = "weak" | "fair" | "good" | "strong";
const STEPS_BY_LEVEL: Record<StrengthLevel, number> = { weak: 1, fair: 2, good: 3, strong: 4 };
const FILL_BY_LEVEL: Record<StrengthLevel, string> = {
  weak: "bg-danger",
  fair: "bg-warning",
  good: "bg-success",
  strong: "bg-success",
};

function useIsCommonPassword(password: string): boolean {
  const [checkIsCommon, setCheckIsCommon] = useState<(password: string) => boolean>();
  const hasPassword = password.length > 0;
  useEffect(() => {
    if (!hasPassword) return;
    let isUnmounted = false;
    import("@/server/core/common-passwords").then(
      (commonPasswords) => isUnmounted || setCheckIsCommon(() => commonPasswords.isCommonPassword),
    );
    return () => {
      isUnmounted = true;
    };
  }, [hasPassword]);
  return checkIsCommon?.(password) ?? false;
}

function rateStrength(password: string): StrengthLevel {
  const characters = [...password];
  if (characters.length < MIN_PASSWORD_LENGTH || new Set(characters).size < 5) return "weak";
  if (characters.length < 12) return "fair";
  return characters.length < 16 ? "good" : "strong";
}

function PasswordStrength({ password, email }: { password: string; email: string }) {
  const t = useTranslations("auth.strength");
  const length = [...password].length;
  const isCommon = useIsCommonPassword(password);
  const weakness = isPasswordOwnAddress(password, email.trim()) ? "own" : isCommon ? "common" : undefined;
  const level = length === 0 ? undefined : weakness ? "weak" : rateStrength(password);
  const rating = t((level && weakness) ?? level ?? "empty");
  const message =
    level && length < MIN_PASSWORD_LENGTH ? t("missing", { count: MIN_PASSWORD_LENGTH - length }) : rating;

  return (
    <>
      <span aria-hidden className="mt-1 mb-1.5 flex gap-1">
        {[1, 2, 3, 4].map((step) => (
          <span
            key={step}
            className={clsx(
              "h-1 w-12 rounded-full transition-colors duration-120 forced-colors:border",
              level && step <= STEPS_BY_LEVEL[level] ? `knob ${FILL_BY_LEVEL[level]}` : "bg-border",
            )}
          />
        ))}
      </span>
      <span className="block">{message}</span>
    </>
  );
}
