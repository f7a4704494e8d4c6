"use client";

import { useTranslations } from "next-intl";
import { CodeField } from "@/components/access/sign-in/code-field";
import { call } from "@/components/api/client";
import { FormField } from "@/components/form/form-field";
import { OperationForm, SubmitButton } from "@/components/form/operation-form";
import { useOperationForm } from "@/components/form/use-operation-form";
import { Ltr } from "@/components/ui/bidi";
import { Button } from "@/components/ui/button";
import { DialogClose } from "@/components/ui/dialog";

export interface ConfirmFormProps {
  method: "code" | "word";
  word: string;
}

/** Deletes the account. The session ends with it, so the page leaves the panel for the certificate. */
export function ConfirmForm({ method, word }: ConfirmFormProps) {
  const t = useTranslations("deletion");
  const form = useOperationForm(() => import("./forms").then((file) => file.deletionForms[method]), {
    defaultValues: method === "code" ? { code: "" } : { confirmation: "" },
    submit: (body) => call.accountDeletion.confirm.mutate({ body }),
    showsSuccessToast: false,
    onSuccess: ({ certificate_id: id, certificate_code: code }) =>
      window.location.assign(`/certificates/${id}?code=${encodeURIComponent(code)}`),
    onError: ({ status, message, errors }) => {
      if (status !== 422 || !message || Object.keys(errors).length > 0) return false;
      form.setError(
        method === "code" ? "code" : "confirmation",
        { type: "server", message },
        { shouldFocus: true },
      );
      return true;
    },
  });
  return (
    <OperationForm form={form} label={t("dialog")}>
      {method === "code" ? (
        <CodeField label={t("code")} isOnlyField={false} />
      ) : (
        <FormField
          name="confirmation"
          label={t.rich("word", {
            w: () => (
              <b>
                <Ltr>{word}</Ltr>
              </b>
            ),
          })}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <DialogClose>
          <Button>{t("cancel")}</Button>
        </DialogClose>
        <SubmitButton variant="danger">{t("confirm")}</SubmitButton>
      </div>
    </OperationForm>
  );
}
