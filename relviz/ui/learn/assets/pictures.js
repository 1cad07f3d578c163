// The kinds of pictures that a story may show.

import { BarsPicture, VerdictPicture } from "./bars_picture.js";
import { CurvePicture } from "./curve_picture.js";
import { DecoderPicture } from "./decoder_picture.js";
import { DictionaryPicture } from "./dictionary_picture.js";
import { HeadsPicture, MatrixPicture } from "./heads_picture.js";
import { LatentsPicture } from "./latents_picture.js";
import { MapsPicture } from "./maps_picture.js";
import { PosePicture } from "./pose_picture.js";
import { ExamplesPicture, ListsPicture } from "./rows_pictures.js";
import { RunsPicture } from "./runs_picture.js";
import { ShapePicture } from "./shape_picture.js";
import { VectorPicture } from "./vector_picture.js";

export const PICTURES = {
  common: BarsPicture,
  curve: CurvePicture,
  decoder: DecoderPicture,
  dictionary: DictionaryPicture,
  errors: BarsPicture,
  examples: ExamplesPicture,
  heads: HeadsPicture,
  inverse: CurvePicture,
  latents: LatentsPicture,
  lists: ListsPicture,
  maps: MapsPicture,
  matrix: MatrixPicture,
  pose: PosePicture,
  runs: RunsPicture,
  shape: ShapePicture,
  trouble: CurvePicture,
  vector: VectorPicture,
  verdict: VerdictPicture,
};
