#include "tests/kernels/cuda/twins.h"

#include <cmath>
#include <limits>

namespace triaxis::kernels::test
{

namespace
{

std::string sized(const std::string& name, std::int64_t rows, std::int64_t width)
{
    return name + " " + std::to_string(rows) + "x" + std::to_string(width);
}

/// Numbers of rows and widths that no tile divides, and some that one does.
struct Shape
{
    std::int64_t rows, width;
};
const Shape shapes[] = {{1, 1}, {3, 7}, {65, 21}, {33, 300}, {16, 256}};

void addShaped(std::vector<TwinCase>& to, const Shape& s)
{
    const std::int64_t rows = s.rows, width = s.width, n = rows * width;
    to.push_back(
        {sized("fill", rows, width),
         {output(n)},
         [n](Device& d, Stream& stream, const Arguments& a) { d.fill(stream, a[0], 2.5f, n); }});
    to.push_back(
        {sized("copy", rows, width),
         {output(n), input(n, 1)},
         [n](Device& d, Stream& stream, const Arguments& a) { d.copy(stream, a[0], a[1], n); }});
    to.push_back(
        {sized("add", rows, width),
         {inOut(n, 1), input(n, 2)},
         [n](Device& d, Stream& stream, const Arguments& a) { d.add(stream, a[0], a[1], n); }});
    to.push_back(
        {sized("scale", rows, width),
         {inOut(n, 1)},
         [n](Device& d, Stream& stream, const Arguments& a) { d.scale(stream, a[0], 0.3f, n); }});
    to.push_back({sized("bias", rows, width),
                  {inOut(n, 1), input(width, 2)},
                  [=](Device& d, Stream& stream, const Arguments& a) {
                      d.addBias(stream, a[0], a[1], rows, width);
                  }});
    to.push_back({sized("bias gradient", rows, width),
                  {inOut(width, 1), input(n, 2)},
                  [=](Device& d, Stream& stream, const Arguments& a) {
                      d.biasGradient(stream, a[0], a[1], rows, width);
                  }});
    for (const bool biased : {false, true}) {
        to.push_back({sized(biased ? "residual with bias" : "residual", rows, width),
                      {inOut(n, 1), input(n, 2), input(width, 3)},
                      [=](Device& d, Stream& stream, const Arguments& a) {
                          d.addResidual(stream, a[0], a[1], biased ? a[2] : nullptr, rows, width);
                      }});
        to.push_back({sized(biased ? "GELU with bias" : "GELU", rows, width),
                      {output(n), inOut(n, 1, -6, 6), input(width, 2)},
                      [=](Device& d, Stream& stream, const Arguments& a) {
                          d.geluForward(stream, a[0], a[1], biased ? a[2] : nullptr, rows, width);
                      }});
    }
    to.push_back({sized("GELU backward", rows, width),
                  {output(n), input(n, 1), input(n, 2, -6, 6)},
                  [=](Device& d, Stream& stream, const Arguments& a) {
                      d.geluBackward(stream, a[0], a[1], a[2], n);
                  }});
    to.push_back({sized("GELU backward in place", rows, width),
                  {inOut(n, 1), input(n, 2, -6, 6)},
                  [=](Device& d, Stream& stream, const Arguments& a) {
                      d.geluBackward(stream, a[0], a[0], a[1], n);
                  }});
    to.push_back({sized("SwiGLU", rows, width),
                  {output(n), input(n, 1, -8, 8), input(n, 2)},
                  [=](Device& d, Stream& stream, const Arguments& a) {
                      d.swigluForward(stream, a[0], a[1], a[2], n);
                  }});
    to.push_back({sized("SwiGLU backward", rows, width),
                  {output(n), output(n), input(n, 1), input(n, 2, -8, 8), input(n, 3)},
                  [=](Device& d, Stream& stream, const Arguments& a) {
                      d.swigluBackward(stream, a[0], a[1], a[2], a[3], a[4], n);
                  }});
    to.push_back({sized("AdamW", rows, width),
                  {inOut(n, 1), inOut(n, 2), inOut(n, 3, 0, 1), input(n, 4)},
                  [=](Device& d, Stream& stream, const Arguments& a) {
                      AdamW settings{1e-2f, 0.9f, 0.95f, 1e-8f, 0.1f, 0.7f, 3};
                      d.adamW(stream, a[0], a[1], a[2], a[3], settings, n);
                  }});
    // The norm is the sum of the gradients' squares; with none that is finite nothing changes.
    for (const float first : {0.5f, std::numeric_limits<float>::infinity()}) {
        Array gradient = input(n, 4);
        gradient.floats[0] = first;
        to.push_back({sized("AdamW, clipped on the device", rows, width),
                      {inOut(n, 1), inOut(n, 2), inOut(n, 3, 0, 1), gradient, output(2), output(1)},
                      [=](Device& d, Stream& stream, const Arguments& a) {
                          auto* const squares = static_cast<double*>(static_cast<void*>(a[4]));
                          d.fill(stream, a[4], 0, 2);
                          d.addSumOfSquares(stream, squares, a[3], n);
                          d.clipFactor(stream, a[5], squares, 0.3);
                          AdamW settings{1e-2f, 0.9f, 0.95f, 1e-8f, 0.1f, 0.7f, 3, a[5]};
                          d.adamW(stream, a[0], a[1], a[2], a[3], settings, n);
                          d.fill(stream, a[4], 0, 2); // halves of a double are no floats
                          if (!std::isfinite(first))
                              d.fill(stream, a[5], 0, 1);
                      }});
    }
}

/// A number that an operation gives to the host, laid into an output so that it is compared.
void keep(Device& d, Stream& stream, float* to, double value)
{
    const float kept = float(value);
    d.copyToDevice(stream, to, &kept, sizeof kept);
}

} // namespace

std::vector<TwinCase> elementwiseTwins()
{
    std::vector<TwinCase> cases;
    for (const Shape& shape : shapes)
        addShaped(cases, shape);
    for (const std::int64_t n : {1, 255, 70001})
        cases.push_back({sized("sum of squares", 1, n),
                         {output(1), input(n, 1)},
                         [n](Device& d, Stream& stream, const Arguments& a) {
                             keep(d, stream, a[0], d.sumOfSquares(stream, a[1], n));
                         }});
    for (const float odd :
         {0.0f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        Array values = input(3000, 1);
        values.floats[2717] = odd;
        cases.push_back({"all finite with " + std::to_string(odd),
                         {output(1), values},
                         [](Device& d, Stream& stream, const Arguments& a) {
                             keep(d, stream, a[0], d.allFinite(stream, a[1], 3000) ? 1 : 2);
                         }});
    }
    for (const bool inverse : {false, true})
        for (const int headSize : {2, 20, 64}) {
            const std::int64_t rows = 14, stride = 3 * headSize + 5;
            cases.push_back({sized(inverse ? "rotation back" : "rotation", rows, headSize),
                             {inOut(rows * stride, 1)},
                             [=](Device& d, Stream& stream, const Arguments& a) {
                                 d.rope(stream, a[0] + 2, stride, rows, 7, 3, headSize, 10000.0f,
                                        inverse);
                             }});
        }
    return cases;
}

std::vector<TwinCase> normTwins()
{
    std::vector<TwinCase> cases;
    for (const Shape& s : shapes) {
        const std::int64_t rows = s.rows, width = s.width, n = rows * width;
        const Array x = input(n, 1, -2, 3), weight = input(width, 2), bias = input(width, 3);
        cases.push_back({sized("LayerNorm", rows, width),
                         {output(n), output(rows), output(rows), x, weight, bias},
                         [=](Device& d, Stream& stream, const Arguments& a) {
                             d.layerNormForward(stream, a[0], a[1], a[2], a[3], a[4], a[5], 1e-5f,
                                                rows, width);
                         }});
        cases.push_back({sized("RMSNorm", rows, width),
                         {output(n), output(rows), x, weight},
                         [=](Device& d, Stream& stream, const Arguments& a) {
                             d.rmsNormForward(stream, a[0], a[1], a[2], a[3], 1e-5f, rows, width);
                         }});
        const Array dY = input(n, 4), mean = input(rows, 5, 0, 1), rstd = input(rows, 6, 0.5, 1.5);
        cases.push_back({sized("LayerNorm backward", rows, width),
                         {inOut(n, 7), inOut(width, 8), inOut(width, 9), dY, x, weight, mean, rstd},
                         [=](Device& d, Stream& stream, const Arguments& a) {
                             d.layerNormBackward(stream, a[0], a[1], a[2], a[3], a[4], a[5], a[6],
                                                 a[7], rows, width);
                         }});
        cases.push_back({sized("RMSNorm backward", rows, width),
                         {inOut(n, 7), inOut(width, 8), dY, x, weight, rstd},
                         [=](Device& d, Stream& stream, const Arguments& a) {
                             d.rmsNormBackward(stream, a[0], a[1], a[2], a[3], a[4], a[5], rows,
                                               width);
                         }});
    }
    return cases;
}

std::vector<TwinCase> attentionTwins()
{
    struct Size
    {
        std::int64_t batch, time;
        int heads, kvHeads, headSize;
    };
    std::vector<TwinCase> cases;
    for (const Size& s :
         {Size{1, 1, 1, 1, 4}, Size{2, 5, 2, 1, 3}, Size{1, 64, 2, 2, 64}, Size{2, 65, 4, 2, 20},
          Size{1, 70, 6, 1, 33}, Size{1, 40, 2, 1, 80}, Size{1, 33, 1, 1, 256}}) {
        const std::int64_t qWidth = s.heads * s.headSize, kvWidth = s.kvHeads * s.headSize;
        const std::int64_t stride = qWidth + 2 * kvWidth + 5, outStride = qWidth + 2,
                           rows = s.batch * s.time;
        const auto describe = [=](const float* fused) {
            Attention a;
            a.batch = s.batch;
            a.time = s.time;
            a.heads = s.heads;
            a.kvHeads = s.kvHeads;
            a.headSize = s.headSize;
            a.scale = 1.0f / std::sqrt(float(s.headSize));
            a.q = fused;
            a.k = fused + qWidth;
            a.v = fused + qWidth + kvWidth;
            a.qStride = a.kvStride = stride;
            a.outStride = outStride;
            return a;
        };
        const std::string size = std::to_string(s.batch) + "x" + std::to_string(s.time) +
                                 ", heads " + std::to_string(s.heads) + "/" +
                                 std::to_string(s.kvHeads) + " of " + std::to_string(s.headSize);
        const std::int64_t sums = s.batch * s.heads * s.time;
        cases.push_back({"attention " + size,
                         {inOut(rows * outStride, 1), output(sums), input(rows * stride, 2, -2, 2)},
                         [=](Device& d, Stream& stream, const Arguments& a) {
                             d.attentionForward(stream, describe(a[2]), a[0], a[1]);
                         }});
        // Its own forward first: the gradient needs what belongs to the same scores.
        cases.push_back({"attention backward " + size,
                         {inOut(rows * stride, 1), input(rows * stride, 2, -2, 2),
                          input(rows * outStride, 3), inOut(rows * outStride, 4), output(sums)},
                         [=](Device& d, Stream& stream, const Arguments& a) {
                             d.attentionForward(stream, describe(a[1]), a[3], a[4]);
                             d.attentionBackward(stream, describe(a[1]), a[0], a[0] + qWidth,
                                                 a[0] + qWidth + kvWidth, a[2], a[3], a[4]);
                         }});
    }
    return cases;
}

std::vector<TwinCase> lossTwins()
{
    std::vector<TwinCase> cases;
    for (const std::int64_t width : {1, 24, 300})
        for (const bool placed : {false, true}) {
            // Entries 10 … 49 of a vocabulary of 60; tokens come more than once.
            const std::int64_t rows = 70, time = 14, first = 10, entries = 40;
            cases.push_back({sized(placed ? "embedding with positions" : "embedding", rows, width),
                             {output(rows * width), tokens(rows, 1, 0, 60),
                              input(entries * width, 2), input(time * width, 3)},
                             [=](Device& d, Stream& stream, const Arguments& a) {
                                 d.embeddingForward(stream, a[0], a.ints(1), a[2],
                                                    placed ? a[3] : nullptr, rows, time, width,
                                                    first, entries);
                             }});
            cases.push_back(
                {sized(placed ? "embedding backward with positions" : "embedding backward", rows,
                       width),
                 {inOut(entries * width, 2), inOut(time * width, 3), input(rows * width, 4),
                  tokens(rows, 1, 0, 60)},
                 [=](Device& d, Stream& stream, const Arguments& a) {
                     d.embeddingBackward(stream, a[0], placed ? a[1] : nullptr, a[2], a.ints(3),
                                         rows, time, width, first, entries);
                 }});
        }
    for (const std::int64_t entries : {0, 1, 37, 600}) {
        const std::int64_t rows = 19, stride = (entries + 16) / 16 * 16, first = 5;
        cases.push_back({sized("row maximum", rows, entries),
                         {output(rows), input(rows * stride, 1, -9, 9)},
                         [=](Device& d, Stream& stream, const Arguments& a) {
                             d.rowMaximum(stream, a[0], a[1], rows, entries, stride);
                         }});
        cases.push_back({sized("exponential sums", rows, entries),
                         {output(2 * rows), inOut(rows * stride, 1, -9, 9), input(rows, 2, 9, 10),
                          tokens(rows, 3, 0, std::int32_t(entries + 10))},
                         [=](Device& d, Stream& stream, const Arguments& a) {
                             d.exponentialSums(stream, a[0], a[1], a[2], a.ints(3), rows, entries,
                                               stride, first);
                         }});
        cases.push_back({sized("cross-entropy gradient", rows, entries),
                         {inOut(rows * stride, 1, 0, 1), input(2 * rows, 2, 1, 9),
                          tokens(rows, 3, 0, std::int32_t(entries + 10))},
                         [=](Device& d, Stream& stream, const Arguments& a) {
                             d.crossEntropyGradient(stream, a[0], a[1], a.ints(2), 0.01f, rows,
                                                    entries, stride, first);
                         }});
    }
    for (const std::int64_t rows : {1, 300, 1000})
        cases.push_back({sized("cross-entropy", rows, 1),
                         {output(1), input(2 * rows, 1, 1, 9)},
                         [=](Device& d, Stream& stream, const Arguments& a) {
                             keep(d, stream, a[0], d.crossEntropySum(stream, a[1], rows));
                         }});
    return cases;
}

namespace
{

/// A product with what a layer lets follow it.
TwinCase followedProduct(std::int64_t m, std::int64_t n, std::int64_t k, bool gelu, bool biased)
{
    Gemm g;
    g.m = m;
    g.n = g.ldb = g.ldc = n;
    g.k = g.lda = k;
    return {std::string("product") + (biased ? " with bias" : "") + (gelu ? " and GELU " : " ") +
                std::to_string(m) + "x" + std::to_string(n),
            {input(m * k, 1), input(k * n, 2), input(n, 3), output(m * n), output(m * n)},
            [=](Device& d, Stream& stream, const Arguments& a) {
                Gemm product = g;
                product.a = a[0];
                product.b = a[1];
                product.c = a[3];
                const float* const bias = biased ? a[2] : nullptr;
                if (gelu)
                    return d.gemmBiasGelu(stream, product, a[4], bias);
                d.gemmBias(stream, product, bias);
                d.fill(stream, a[4], 0, m * n);
            }};
}

} // namespace

std::vector<TwinCase> productTwins()
{
    struct Size
    {
        std::int64_t m, n, k;
    };
    std::vector<TwinCase> cases;
    for (const Size& s :
         {Size{1, 1, 1}, Size{5, 7, 3}, Size{64, 48, 100}, Size{33, 130, 65}, Size{6, 4, 0}})
        for (const Transpose transA : {Transpose::No, Transpose::Yes})
            for (const Transpose transB : {Transpose::No, Transpose::Yes})
                for (const float beta : {0.0f, 1.0f}) {
                    Gemm g;
                    g.transA = transA;
                    g.transB = transB;
                    g.m = s.m;
                    g.n = s.n;
                    g.k = s.k;
                    g.alpha = 0.5f;
                    g.beta = beta;
                    g.lda = (transA == Transpose::Yes ? s.m : s.k) + 3;
                    g.ldb = (transB == Transpose::Yes ? s.k : s.n) + 3;
                    g.ldc = s.n + 3;
                    const std::int64_t aRows = transA == Transpose::Yes ? s.k : s.m;
                    const std::int64_t bRows = transB == Transpose::Yes ? s.n : s.k;
                    const std::string name =
                        "product " + std::to_string(s.m) + "x" + std::to_string(s.n) + "x" +
                        std::to_string(s.k) + (transA == Transpose::Yes ? " A'" : " A") +
                        (transB == Transpose::Yes ? "B'" : "B") + (beta == 0 ? "" : " added");
                    cases.push_back({name,
                                     {input(aRows * g.lda + 1, 1), input(bRows * g.ldb + 1, 2),
                                      inOut(s.m * g.ldc, 3)},
                                     [g](Device& d, Stream& stream, const Arguments& a) {
                                         Gemm product = g;
                                         product.a = a[0];
                                         product.b = a[1];
                                         product.c = a[2];
                                         d.gemm(stream, product);
                                     }});
                }
    for (const std::int64_t n : {16, 21}) // 21: not in one with a GELU
        for (const bool gelu : {false, true})
            for (const bool biased : {true, false})
                if (biased || gelu)
                    cases.push_back(followedProduct(33, n, 40, gelu, biased));
    return cases;
}

} // namespace triaxis::kernels::test
