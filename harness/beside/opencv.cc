/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

extern "C" {
#include "harness/beside/opencv.h"

#include "lib/base/error.h"
}

#include <opencv2/core/utils/logger.hpp>
#include <opencv2/dnn.hpp>

#include <string>
#include <vector>

struct opencv_net {
    cv::dnn::Net net;
    std::vector<cv::Mat> output;
};

namespace
{

/* OpenCV's messages have several lines, of several things that went wrong.  */
bool refuse(struct error *error, const std::string &words)
{
    std::string line;

    for (char letter : words) {
        bool blank = letter == ' ' || letter == '\n' || letter == '\t' || letter == '\r';

        if (!blank)
            line += letter;
        else if (!line.empty() && line.back() != ' ')
            line += ' ';
    }
    while (!line.empty() && line.back() == ' ')
        line.pop_back();
    return error_set(error, "%s", line.c_str());
}

/* Does WORK; false with what it threw.  */
template <typename Work> bool guarded(struct error *error, Work work)
{
    try {
        return work();
    } catch (const cv::Exception &exception) {
        return refuse(error, exception.err);
    } catch (const std::exception &exception) {
        return refuse(error, exception.what());
    } catch (...) {
        return refuse(error, "it threw what is no exception of C++'s own");
    }
}

} // namespace

const char *opencv_library(void)
{
    static const std::string library = "opencv " + cv::getVersionString();

    return library.c_str();
}

struct opencv_net *opencv_open(const char *path, int threads, struct error *error)
{
    struct opencv_net *opened = nullptr;

    /* What it has to say comes with the exception.  */
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
    guarded(error, [&] {
        cv::setNumThreads(threads);
        cv::dnn::Net net = cv::dnn::readNetFromONNX(path);

        if (net.empty())
            return refuse(error, "it made a network without layers of it");
        net.setPreferableBackend(cv::dnn::DNN_BACKEND_OPENCV);
        net.setPreferableTarget(cv::dnn::DNN_TARGET_CPU);
        opened = new opencv_net{net, {}};
        return true;
    });
    return opened;
}

void opencv_close(struct opencv_net *net)
{
    delete net;
}

bool opencv_give(struct opencv_net *net, const char *name, int rank, const int *dim,
                 const float *data, struct error *error)
{
    return guarded(error, [&] {
        /* It only reads what it is given, but its type for that is also the one for results.  */
        net->net.setInput(cv::Mat(rank, dim, CV_32F, const_cast<float *>(data)), name);
        return true;
    });
}

bool opencv_run(struct opencv_net *net, const char *const *output, size_t count,
                struct error *error)
{
    return guarded(error, [&] {
        net->net.forward(net->output, std::vector<cv::String>(output, output + count));
        return net->output.size() == count || refuse(error, "it made fewer outputs than asked for");
    });
}

const float *opencv_output(const struct opencv_net *net, size_t o, size_t *elements)
{
    const cv::Mat &output = net->output[o];

    *elements = output.total();
    return output.type() == CV_32F && output.isContinuous() ? output.ptr<float>() : nullptr;
}
