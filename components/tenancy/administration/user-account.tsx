"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { PhoneNumber } from "@/components/access/verification/phone-number";
import { getAccountPath } from "@/components/billing/records/admin-paths";
import { getSitePath } from "@/components/sites/sites/site-path";
import { AppLink } from "@/components/ui/app-link";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { FormAlert } from "@/components/ui/form-alert";
import { KeyValue } from "@/components/ui/key-value";
import { getPreloadProps, lazyPart } from "@/components/ui/lazy-part";
import { FormattedNumber } from "@/components/ui/number";
import { Time } from "@/components/ui/time";
import { MANDATORY_CONSENTS } from "@/server/domains/accounts/consents/policy";
import type { UserDetail, UserRow } from "./types";
import { UserStatusChip } from "./use-user-columns";

const RoleForm = lazyPart(() => import("./role-form").then((file) => file.RoleForm));

export function UserFacts({ user, detail }: { user: UserRow; detail?: UserDetail }) {
  const t = useTranslations("admin");
  return (
    <KeyValue
      items={[
        {
          key: "email",
          label: t("column.email"),
          value: <Ltr>{user.email}</Ltr>,
          action: <CopyButton compact text={user.email} />,
        },
        ...(detail?.phone
          ? [
              {
                key: "phone",
                label: t("user.phone"),
                value: <PhoneNumber value={detail.phone} />,
                action: <CopyButton compact text={detail.phone} />,
              },
            ]
          : []),
        { key: "id", label: t("id"), value: <Ltr mono>{user.id}</Ltr> },
        {
          key: "role",
          label: t("column.role"),
          value: t(user.is_agent_only ? "role.agent" : `role.${user.role}`),
        },
        ...(user.role === "reseller"
          ? [
              {
                key: "agreement",
                label: t("agreement"),
                value: user.agreement_signed_at ? (
                  <Time value={user.agreement_signed_at} show="date" />
                ) : (
                  t("agreementNone")
                ),
              },
            ]
          : []),
        ...(detail?.parent
          ? [{ key: "parent", label: t("user.parent"), value: renderAccountLink(detail.parent) }]
          : []),
        ...(detail?.reseller
          ? [{ key: "reseller", label: t("user.reseller"), value: renderAccountLink(detail.reseller) }]
          : []),
        ...(detail?.assigned_site
          ? [
              {
                key: "site",
                label: t("user.site"),
                value: (
                  <AppLink href={getSitePath(detail.assigned_site.id)} className={LINK_CLASSES}>
                    <bdi>{detail.assigned_site.name}</bdi>
                  </AppLink>
                ),
              },
            ]
          : []),
        { key: "state", label: t("column.state"), value: <UserStatusChip user={user} /> },
        { key: "sites", label: t("column.sites"), value: <FormattedNumber value={user.sites_count} /> },
        { key: "created", label: t("column.created"), value: <Time value={user.created_at} show="date" /> },
        ...(detail && !detail.anonymised_at ? buildSignInFacts(detail, t) : []),
      ]}
    />
  );
}

function buildSignInFacts(user: UserDetail, t: ReturnType<typeof useTranslations<"admin">>) {
  const mandatoryCount = user.consents.filter((consent) =>
    MANDATORY_CONSENTS.some((mandatoryConsent) => mandatoryConsent === consent),
  ).length;
  const methods = [
    ...user.factors.map((kind) => t(`user.factor.${kind}`)),
    ...(user.factors.length > 0 ? [t("user.codes", { count: user.recovery_codes_count })] : []),
    ...(user.passkeys_count > 0 ? [t("user.passkeys", { count: user.passkeys_count })] : []),
  ];
  return [
    {
      key: "lastSignIn",
      label: t("user.lastSignIn"),
      value: user.last_sign_in_at ? <Time value={user.last_sign_in_at} /> : t("user.never"),
    },
    { key: "ways", label: t("user.protection"), value: methods.join(" · ") || t("user.unprotected") },
    {
      key: "consents",
      label: t("user.consents"),
      value: t("user.consentsGiven", {
        mandatory: mandatoryCount,
        all: MANDATORY_CONSENTS.length,
        optional: user.consents.length - mandatoryCount,
      }),
    },
  ];
}

const LINK_CLASSES = "rounded-control text-primary-text hover:underline hover:underline-offset-4";

const renderAccountLink = ({ id, name }: { id: number; name: string }) => (
  <AppLink href={getAccountPath(id)} className={LINK_CLASSES}>
    <bdi>{name}</bdi>
  </AppLink>
);

/** Returns why the role cannot be changed; null if it can. */
export function getFixedRoleReason(user: UserRow, viewerId: number): "self" | "agent" | "address" | null {
  if (user.id === viewerId) return "self";
  if (user.is_agent_only) return "agent";
  return user.email_verified_at ? null : "address";
}

export function RoleSection({
  user,
  viewerId,
  onSaved,
}: {
  user: UserRow;
  viewerId: number;
  onSaved: () => void;
}) {
  const t = useTranslations("admin.change");
  const [isChanging, setIsChanging] = useState(false);
  const fixedReason = getFixedRoleReason(user, viewerId);
  if (fixedReason) return <FormAlert tone="info">{t(`fixed.${fixedReason}`)}</FormAlert>;
  if (isChanging)
    return (
      <RoleForm
        user={user}
        onSaved={() => {
          setIsChanging(false);
          onSaved();
        }}
      />
    );
  return (
    <div>
      <Button {...getPreloadProps(RoleForm)} onClick={() => setIsChanging(true)}>
        {t("title")}
      </Button>
    </div>
  );
}
