"use client";

import { Upload } from "lucide-react";
import { useTranslations } from "next-intl";
import { parseAsInteger, useQueryState } from "nuqs";
import { api } from "@/components/api/client";
import { uploadWithProgress } from "@/components/api/upload-with-progress";
import { useAction } from "@/components/form/use-action";
import { Card } from "@/components/ui/card";
import { FileButton } from "@/components/ui/file-button";
import { FormAlert } from "@/components/ui/form-alert";
import { SkeletonRows } from "@/components/ui/skeleton";
import { IMPORT_MAX_COLUMNS, IMPORT_MAX_ROWS } from "@/server/domains/tenancy/customer-imports/policy";
import { ImportSteps } from "./import-steps";
import type { Import } from "./types";

const POLL_INTERVAL_MS = 1_500;

/** The ID of the import is in the URL, so that the user can leave the page and come back. */
export function ImportPanel({ initialImport }: { initialImport: Import | undefined }) {
  const [id, setId] = useQueryState("id", parseAsInteger);
  const { data, isError } = api.customerImports.get.useQuery(
    { params: { id: String(id) } },
    {
      enabled: id !== null,
      ...(initialImport &&
        initialImport.id === id && { initialData: { success: true, import: initialImport } }),
      refetchInterval: ({ state }) => (state.data?.import.state === "running" ? POLL_INTERVAL_MS : false),
    },
  );
  if (id === null || isError) return <UploadCard onUploaded={setId} />;
  if (!data) return <SkeletonRows rowCount={6} />;
  return <ImportSteps key={data.import.id} customerImport={data.import} onRestart={() => setId(null)} />;
}

function UploadCard({ onUploaded }: { onUploaded: (id: number) => void }) {
  const t = useTranslations("customerImport.file");
  const utils = api.useUtils();
  const uploadFile = useAction(
    async (file: File) => {
      const transfer = uploadWithProgress(
        { path: "/api/reseller/imports", field: "file" },
        file,
        () => undefined,
      );
      return (await transfer.response) as { import: Import };
    },
    {
      successText: false,
      onSuccess: (response) => {
        utils.customerImports.get.setData(
          { params: { id: String(response.import.id) } },
          { success: true, import: response.import },
        );
        onUploaded(response.import.id);
      },
    },
  );
  return (
    <Card title={t("title")} description={t("text", { rows: IMPORT_MAX_ROWS, columns: IMPORT_MAX_COLUMNS })}>
      <div className="flex flex-col items-start gap-4">
        {uploadFile.problem ? <FormAlert tone="danger">{uploadFile.problem}</FormAlert> : null}
        <FileButton
          variant="primary"
          icon={<Upload />}
          working={uploadFile.isPending}
          accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
          label={t("label")}
          onFile={(file) => void uploadFile.attempt(file)}
        >
          {t("label")}
        </FileButton>
      </div>
    </Card>
  );
}
