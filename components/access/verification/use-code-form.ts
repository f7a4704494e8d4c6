import { publicCall } from "@/components/api/public-call";
import { useOperationForm } from "@/components/form/use-operation-form";

export interface CodeFormOptions {
  email?: string;
  onVerified: () => void;
  /** Called if the link or code was used before. Default: `onVerified`. */
  onLinkReused?: () => void;
}

/** Form that verifies an email address by its six-digit code. */
export function useCodeForm({ email = "", onVerified, onLinkReused = onVerified }: CodeFormOptions) {
  const form = useOperationForm(() => import("./forms").then((file) => file.verificationCodeForm), {
    defaultValues: { email, code: "" },
    submit: (body) => publicCall.verification.verify.mutate({ body }),
    showsSuccessToast: false,
    onSuccess: onVerified,
    onError: (error) => {
      if (error.status !== 400) return false;
      if (error.code === "verification_repeated") {
        onLinkReused();
        return true;
      }
      form.setError("code", { type: "server", message: error.message }, { shouldFocus: true });
      return true;
    },
  });
  return form;
}
