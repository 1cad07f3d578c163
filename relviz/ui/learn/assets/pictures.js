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
/** @import { Shaped, Sheet } from "./arrays.js" */
/** @import { Values } from "./controls.js" */

/**
 * What a picture is made of.
 * @typedef {object} About
 * @property {Record<string, string[]>} texts
 * @property {Record<string, Shaped>} arrays
 * @property {Record<string, number>} facts
 * @property {Record<string, string>} options
 * @property {Sheet} [sheet]
 * @property {(what: object) => void} ask the server, which replies
 */

/**
 * @typedef {object} StoryPicture
 * @property {(values: Values) => void} set
 * @property {() => void} [paint]
 * @property {(reply: any) => void} [reply]
 * @property {() => void} [release]
 */

/**
 * By the kinds of steps; each takes what its kind has, and keeps in a memory what it likes.
 * @type {Record<string, new (stage: HTMLElement, about: any, memory: any) => StoryPicture>}
 */
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
