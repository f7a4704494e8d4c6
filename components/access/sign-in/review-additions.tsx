"use client";

import { Link2Off, ShieldCheck } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { publicCall } from "@/components/api/public-call";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Checkbox } from "@/components/ui/checkbox";
import { LinkButton } from "@/components/ui/link-button";
import { PageHeader } from "@/components/ui/page-header";
import { Time } from "@/components/ui/time";
import { OutcomeScreen } from "./outcome-screen";
import { useCleanUrl } from "./use-clean-url";

export interface ReviewAdditionsProps {
  token?: string;
  members?: Array<{ id: number; name: string; joinedAt: string }>;
}

export function ReviewAdditions(props: ReviewAdditionsProps) {
  const t = useTranslations("additions.review");
  useCleanUrl(Boolean(props.token));
  const [{ token, members = [] }] = useState(props);
  const [keptIds, setKeptIds] = useState<ReadonlySet<number>>(new Set());
  const [outcome, setOutcome] = useState<"linkInvalid" | { ended: number } | undefined>(
    props.members ? undefined : "linkInvalid",
  );
  const idsToDeactivate = members.map(({ id }) => id).filter((id) => !keptIds.has(id));
  const form = useOperationForm(null, {
    defaultValues: {},
    submit: () => publicCall.signIn.review.mutate({ body: { token: token!, ids: idsToDeactivate } }),
    showsSuccessToast: false,
    onSuccess: ({ ended }) => setOutcome({ ended }),
    onError: ({ status }) => {
      if (status !== 400) return false;
      setOutcome("linkInvalid");
      return true;
    },
  });
  const teamLink = (
    <LinkButton block variant="primary" href="/team">
      {t("toTeam")}
    </LinkButton>
  );
  if (outcome === "linkInvalid")
    return (
      <OutcomeScreen
        icon={<Link2Off />}
        tone="warning"
        title={t("deadTitle")}
        text={t("deadText")}
        focusOnMount={Boolean(props.members)}
      >
        {teamLink}
      </OutcomeScreen>
    );
  if (outcome)
    return (
      <OutcomeScreen
        icon={<ShieldCheck />}
        tone="success"
        title={t("doneTitle")}
        text={t("doneText", { count: outcome.ended })}
        focusOnMount
      >
        {teamLink}
      </OutcomeScreen>
    );
  if (members.length === 0)
    return <OutcomeScreen icon={<ShieldCheck />} tone="success" title={t("doneTitle")} text={t("none")} />;
  function toggleKept(id: number) {
    const nextKeptIds = new Set(keptIds);
    if (!nextKeptIds.delete(id)) nextKeptIds.add(id);
    setKeptIds(nextKeptIds);
  }
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <OperationForm form={form}>
        <ul className="flex flex-col gap-3">
          {members.map(({ id, name, joinedAt }) => (
            <li key={id}>
              <Checkbox
                checked={!keptIds.has(id)}
                onChange={() => toggleKept(id)}
                label={<bdi className="break-words">{name}</bdi>}
                hint={
                  <span>
                    {t("joined")} <Time value={joinedAt} show="dateTime" showZone />
                  </span>
                }
              />
            </li>
          ))}
        </ul>
        <SubmitButton block>{t(idsToDeactivate.length > 0 ? "submit" : "keep")}</SubmitButton>
      </OperationForm>
    </>
  );
}
