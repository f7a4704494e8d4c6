"use client";

import { useTranslations } from "next-intl";
import { Banner } from "@/components/ui/banner";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ErrorState } from "@/components/ui/error-state";
import { ForbiddenState } from "@/components/ui/forbidden-state";
import { FormAlert } from "@/components/ui/form-alert";
import { ProgressBar } from "@/components/ui/progress-bar";
import { SecretOnce } from "@/components/ui/secret-once";
import { SkeletonRows } from "@/components/ui/skeleton";
import { SlotBar } from "@/components/ui/slot-bar";
import { StatusChip } from "@/components/ui/status-chip";
import { Stepper } from "@/components/ui/stepper";
import type { Tone } from "@/components/ui/tone";

const TONES: Tone[] = ["neutral", "info", "success", "warning", "danger"];

export function FeedbackSection() {
  const t = useTranslations();
  const galleryTexts = useTranslations("gallery");
  const labels = {
    neutral: galleryTexts("pending"),
    info: galleryTexts("pending"),
    success: galleryTexts("active"),
    warning: galleryTexts("pending"),
    danger: galleryTexts("suspended"),
  };
  return (
    <>
      <Card title="StatusChip, FormAlert">
        <div className="flex flex-col gap-3">
          <div className="flex flex-wrap gap-2">
            {TONES.map((tone) => (
              <StatusChip key={tone} tone={tone}>
                {labels[tone]}
              </StatusChip>
            ))}
          </div>
          {TONES.map((tone) => (
            <FormAlert key={tone} tone={tone} title={tone === "danger" ? galleryTexts("limit") : undefined}>
              {tone === "danger" ? t("ui.error.network") : galleryTexts("siteDeleteText")}
            </FormAlert>
          ))}
        </div>
      </Card>
      <Card title="SecretOnce">
        <SecretOnce label={galleryTexts("key")} secret="tll_4f1c9a7e2b60d853f1c9a7e2b60d8531c9a7e2b60d853" />
      </Card>
      <Card title="Banner, Stepper, ProgressBar, SlotBar">
        <div className="flex flex-col gap-6">
          <div className="-mx-5">
            <Banner tone="warning" solid action={<Button size="sm">{galleryTexts("end")}</Button>}>
              {galleryTexts("viewAs")}
            </Banner>
            <Banner
              tone="info"
              action={<Button size="sm">{galleryTexts("resend")}</Button>}
              onClose={() => undefined}
            >
              {galleryTexts("mailBanner")}
            </Banner>
          </div>
          <Stepper
            label="Stepper"
            current="payment"
            steps={[
              { key: "account", label: galleryTexts("step1") },
              { key: "payment", label: galleryTexts("step2") },
              { key: "review", label: galleryTexts("step3") },
            ]}
          />
          <ProgressBar
            id="gallery-progress"
            label={galleryTexts("upload")}
            value={12}
            max={40}
            valueText={galleryTexts("uploadState")}
          />
          <SlotBar used={3} total={5} label={galleryTexts("slots")} />
        </div>
      </Card>
      <Card title="Skeleton" flush>
        <SkeletonRows rowCount={4} />
      </Card>
      <Card title="ErrorState">
        <ErrorState heading="h3" requestId="req_7Hk2mQ" onRetry={() => undefined} />
      </Card>
      <Card title="ForbiddenState">
        <ForbiddenState
          heading="h3"
          contact={{ name: "Ayşe Kaya", email: "ayse@example.com", phone: "+90 555 000 00 00" }}
        />
      </Card>
    </>
  );
}
