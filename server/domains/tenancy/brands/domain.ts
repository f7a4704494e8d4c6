import { createHandler } from "@/server/core/contract";
import { domain, job } from "@/server/core/domain";
import { getBrand, putBrand, removeBrandPicture, uploadBrandPicture } from "./contract";
import { archiveReaders } from "./export";
import { sweepBrandFilesJob } from "./jobs";
import { readOwnBrand, updateBrand } from "./service/brand";
import { BRANDS_FOLDER, removePicture, uploadPicture } from "./service/pictures";

export const brands = domain({
  operations: {
    get: createHandler(getBrand, readOwnBrand),
    update: createHandler(putBrand, updateBrand),
    upload: createHandler(uploadBrandPicture, uploadPicture),
    removePicture: createHandler(removeBrandPicture, removePicture),
  },
  jobs: {
    sweep_brands: job(sweepBrandFilesJob, { cron: "53 * * * *", catchUp: "1d" }),
  },
  relations: [
    {
      table: "brands",
      column: "user_id",
      topic: "branding",
      onDeletion: "delete",
      export: "brand",
      files: ["logo_path", "logo_dark_path", "icon_path"],
    },
  ],
  storedFileColumns: ["logo_path", "logo_dark_path", "icon_path"].map((column) => ({
    table: "brands",
    column,
    folder: BRANDS_FOLDER,
  })),
  exports: archiveReaders,
  audit: ["brand.changed", "brand.picture_changed"],
});
